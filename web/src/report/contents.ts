// Marks the current section in the table of contents.

export function followContents(): void {
  const links = new Map<string, HTMLAnchorElement>();
  for (const link of document.querySelectorAll<HTMLAnchorElement>('nav.contents a')) {
    links.set(link.hash.slice(1), link);
  }
  const sections = [...links.keys()].flatMap((id) => document.getElementById(id) ?? []);
  const mark = (): void => {
    const read = sections
      .filter((section) => section.getBoundingClientRect().top < window.innerHeight / 3)
      .pop();
    for (const [id, link] of links) {
      if (id === (read ?? sections[0])?.id) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  };
  let asked = false;
  window.addEventListener(
    'scroll',
    () => {
      if (asked) return;
      asked = true;
      requestAnimationFrame(() => {
        asked = false;
        mark();
      });
    },
    { passive: true },
  );
  mark();
}
