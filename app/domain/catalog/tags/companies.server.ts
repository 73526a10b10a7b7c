import { wordKey } from "#app/domain/names/names.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import { lastPageOf, type PageFacts } from "#app/platform/numbered-pages.ts";
import { type CountedTag, listCountedTags } from "./tag-index.server.ts";

/** Lists studios, producers and licensors in pages. */

type CompanyQuery = {
  search: string | undefined;
  beginning: string | undefined;
  order: "number" | "titles" | undefined;
  descending: boolean | undefined;
  page: number;
  perPage: number;
};

type CompanyPage = PageFacts & { companies: CountedTag[] };

const companiesFor = async (viewer: Viewer) =>
  (await listCountedTags(viewer)).filter(({ kind }) => kind === "producer");

export const findCompany = async (malId: number, viewer: Viewer): Promise<CountedTag | null> =>
  (await companiesFor(viewer)).find((company) => company.malId === malId) ?? null;

export async function listCompanies(
  { search = "", beginning = "", order = "number", descending = false, page, perPage }: CompanyQuery,
  viewer: Viewer,
): Promise<CompanyPage> {
  const part = wordKey(search);
  const start = beginning.toLowerCase();
  const companies = (await companiesFor(viewer)).filter(
    ({ name }) => wordKey(name).includes(part) && name.toLowerCase().startsWith(start),
  );
  const sign = descending ? -1 : 1;
  const value = ({ malId, titles }: CountedTag) => (order === "titles" ? titles : malId);
  companies.sort((one, other) => sign * (value(one) - value(other)) || one.malId - other.malId);
  const offset = (page - 1) * perPage;
  return {
    companies: companies.slice(offset, offset + perPage),
    total: companies.length,
    page,
    lastPage: lastPageOf(companies.length, perPage),
    perPage,
  };
}
