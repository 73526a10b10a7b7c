import type { ReactNode } from "react";
import { ExternalIcon } from "#app/ui/icons/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { PortraitGrid, PortraitLink } from "#app/ui/people/portrait.tsx";
import type { Details } from "./title-details.server.ts";

/** The parts of a title's page that need details of other sites. Each part without data is left out. */

/** Longer lists begin with this many, and open without scripts. */
const shownAtFirst = 6;
const tagsShownAtFirst = 12;

export const Characters = ({ characters }: Pick<Details, "characters">) =>
  characters.length > 0 && (
    <section aria-labelledby="characters">
      <h2 id="characters">Characters</h2>
      <Folded items={characters} shown={shownAtFirst} noun="characters">
        {(part) => (
          <ul className="cast">
            {part.map(({ character, voices }) => (
              <li key={character.path}>
                <PortraitLink {...character} />
                {voices.length > 0 && (
                  <ul className="cast-voices" aria-label={`Voices of ${character.name}`}>
                    {voices.map((voice) => (
                      <li key={voice.path + voice.note}>
                        <Link to={voice.path} lang={voice.lang}>
                          {voice.name}
                        </Link>{" "}
                        <span className="quiet">{voice.note}</span>
                      </li>
                    ))}
                  </ul>
                )}
              </li>
            ))}
          </ul>
        )}
      </Folded>
    </section>
  );

export const Staff = ({ staff }: Pick<Details, "staff">) =>
  staff.length > 0 && (
    <section aria-labelledby="staff">
      <h2 id="staff">Staff</h2>
      <Folded items={staff} shown={shownAtFirst} noun="people">
        {(part) => <PortraitGrid labelledBy="staff" portraits={part} />}
      </Folded>
    </section>
  );

export const WhereToWatch = ({ streams }: Pick<Details, "streams">) =>
  streams.length > 0 && (
    <section aria-labelledby="streams">
      <h2 id="streams">Where to watch it legally</h2>
      <p className="quiet title-note">
        These links lead to other sites. An offer may depend on your country.
      </p>
      <ul className="chips">
        {streams.map(({ url, label }) => (
          <li key={url}>
            <a className="chip" href={url} rel="noreferrer">
              {label} <ExternalIcon />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );

export const Tags = ({ tags }: Pick<Details, "tags">) =>
  tags.length > 0 && (
    <section aria-labelledby="tags">
      <h2 id="tags">Tags</h2>
      <Folded items={tags} shown={tagsShownAtFirst} noun="tags">
        {(part) => (
          <ul className="chips">
            {part.map(({ name, rank }) => (
              <li key={name} className="chip">
                {name} <span className="quiet numeric">{rank}&nbsp;%</span>
              </li>
            ))}
          </ul>
        )}
      </Folded>
    </section>
  );

type FoldedProps<Item> = {
  items: readonly Item[];
  shown: number;
  noun: string;
  children: (part: readonly Item[]) => ReactNode;
};

/** The first items, and the others behind a summary. A few more than the limit are all shown. */
function Folded<Item>({ items, shown, noun, children }: FoldedProps<Item>) {
  if (items.length <= shown + 2) return children(items);
  return (
    <>
      {children(items.slice(0, shown))}
      <details className="title-more">
        <summary className="link">
          Show {items.length - shown} more {noun}
        </summary>
        {children(items.slice(shown))}
      </details>
    </>
  );
}
