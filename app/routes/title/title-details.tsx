import { type MouseEvent, useEffect, useRef } from "react";
import { ExternalIcon } from "#app/ui/icons/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { PortraitGrid, PortraitLink } from "#app/ui/people/portrait.tsx";
import type { Details } from "./title-details.server.ts";

/** The parts of a title's page that need details of other sites. Each part without data is left out. */

export const Characters = ({ characters, pathOfAll }: Pick<Details, "characters" | "pathOfAll">) =>
  characters.items.length > 0 && (
    <section aria-labelledby="characters">
      <h2 id="characters">Characters</h2>
      <ul className="cast">
        {characters.items.map(({ character, voices }) => (
          <li key={character.path}>
            <PortraitLink {...character} />
            {voices.length > 0 && (
              <ul className="cast-voices" aria-label={`Voices of ${character.name}`}>
                {voices.map((voice) => (
                  <li key={voice.path + voice.spoken}>
                    <Link to={voice.path} lang={voice.lang}>
                      {voice.name}
                    </Link>{" "}
                    <span className="quiet">{voice.spoken}</span>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
      <More hidden={characters.hidden} noun="characters" path={pathOfAll} />
    </section>
  );

export const Staff = ({ staff, pathOfAll }: Pick<Details, "staff" | "pathOfAll">) =>
  staff.items.length > 0 && (
    <section aria-labelledby="staff">
      <h2 id="staff">Staff</h2>
      <PortraitGrid labelledBy="staff" portraits={staff.items} />
      <More hidden={staff.hidden} noun="people" path={pathOfAll} />
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

export const Tags = ({ tags, pathOfAll }: Pick<Details, "tags" | "pathOfAll">) =>
  tags.items.length > 0 && (
    <section aria-labelledby="tags">
      <h2 id="tags">Tags</h2>
      <p className="quiet title-note">How strongly each tag fits, by users of AniList.</p>
      <ul className="chips">
        {tags.items.map(({ name, rank }) => (
          <li key={name} className="chip">
            {name} <span className="quiet numeric">{rank}&nbsp;%</span>
          </li>
        ))}
      </ul>
      <More hidden={tags.hidden} noun="tags" path={pathOfAll} />
    </section>
  );

/**
 * Leads to the same page with all of them. The link then disappears, so the focus moves to the first item that it has
 * added to the list above it.
 */
function More({ hidden, noun, path }: { hidden: number; noun: string; path: string }) {
  const pressed = useRef<{ list: Element | null; length: number } | null>(null);
  const onClick = ({ metaKey, ctrlKey, shiftKey, currentTarget }: MouseEvent) => {
    // The browser opens the link in another tab or window.
    if (metaKey || ctrlKey || shiftKey) return;
    const list = currentTarget.previousElementSibling;
    pressed.current = { list, length: list?.children.length ?? 0 };
  };
  useEffect(() => {
    if (hidden > 0 || pressed.current === null) return;
    const { list, length } = pressed.current;
    pressed.current = null;
    focusIn(list?.children[length]);
  }, [hidden]);
  return (
    hidden > 0 && (
      <Link className="link title-more" to={path} preventScrollReset onClick={onClick}>
        Show {hidden} more {noun}
      </Link>
    )
  );
}

function focusIn(item: Element | undefined) {
  const target = item?.querySelector("a") ?? item;
  if (!(target instanceof HTMLElement)) return;
  if (target === item) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
