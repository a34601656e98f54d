/**
 * Style of all pages. Colours follow the reader's system. Addresses of this server are relative, because it may be
 * served below a path.
 */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#1c1e21, #e8e8ea); --soft: light-dark(#5b616a, #a5aab3);
  --ground: light-dark(#fff, #16181c); --code: light-dark(#f2f3f5, #22252b); --link: light-dark(#0b57b0, #8ab8ff) }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 2rem 1rem 4rem; max-width: 46rem; color: var(--ink); background: var(--ground);
  font: 1rem/1.55 system-ui, sans-serif }
header { display: flex; gap: 1rem; align-items: center }
header img { width: 3.5rem; height: 3.5rem; border-radius: .6rem }
h1 { margin: 0; font-size: 1.7rem; line-height: 1.2; overflow-wrap: anywhere }
h2 { margin: 2rem 0 .4rem; font-size: 1.15rem }
header p { margin: 0; color: var(--soft) }
pre { margin: .6rem 0; padding: .8rem 1rem; overflow-x: auto; border-radius: .5rem; background: var(--code);
  font: .875rem/1.5 ui-monospace, monospace }
a { color: var(--link) }
form { display: grid; gap: .3rem; max-width: 24rem; margin: 1.5rem 0 }
input, button { margin: 0 0 .7rem; padding: .5rem .6rem; font: inherit; color: inherit; background: var(--code);
  border: 1px solid var(--soft); border-radius: .4rem }
`
