/** The style of a page: light and dark, from phones to wide screens, and in print. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --page: #f5f6f8; --card: #ffffff; --ink: #1b2430; --soft: #5a6678; --line: #dfe4ea; --faint: #eef1f4;
  --accent: #2f5fd0; --green: #17784a; --yellow: #8f5f00; --red: #bf2f2f;
  --green-bar: #2fa36b; --yellow-bar: #e0a526; --red-bar: #dd5a52; --blue-bar: #5b8def;
  --green-tint: #e3f4ea; --yellow-tint: #fdf1d3; --red-tint: #fbe5e3; --blue-tint: #e5edfc;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f141b; --card: #171e28; --ink: #e4e9f0; --soft: #9aa7b8; --line: #2a3442; --faint: #1f2833;
    --accent: #8fb3ff; --green: #6ad6a0; --yellow: #efc05a; --red: #ff928b;
    --green-bar: #3fae79; --yellow-bar: #d9a33a; --red-bar: #e0655e; --blue-bar: #5f8fe8;
    --green-tint: #15332a; --yellow-tint: #362b12; --red-tint: #3b1f20; --blue-tint: #1b2a45;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
body { margin: 0; overflow-wrap: anywhere; background: var(--page); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
header, main, footer { max-width: 68rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2.5rem; }
.over { margin: 0; color: var(--soft); font-size: .8rem; font-weight: 600; letter-spacing: .08em; text-transform: uppercase; }
h1 { margin: .2rem 0 .4rem; font-size: clamp(1.5rem, 4.5vw, 2.2rem); line-height: 1.2; letter-spacing: -.015em; text-wrap: balance; }
h2 { margin: 3rem 0 .25rem; font-size: 1.45rem; letter-spacing: -.01em; }
h3 { margin: 2rem 0 .6rem; font-size: 1.08rem; }
h4 { margin: 1.4rem 0 .5rem; font-size: .95rem; }
h5 { margin: 1rem 0 .3rem; font-size: .9rem; }
section > section > h4 { margin-top: 1rem; }
p { margin: .4rem 0; }
.soft { color: var(--soft); }
.small { color: var(--text); font-size: .84rem; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 2px; }
code { font: .87em/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--faint);
  padding: .08em .32em; border-radius: 4px; overflow-wrap: anywhere; }
pre { margin: .5rem 0; padding: .8rem 1rem; background: var(--faint); border-radius: 8px; overflow-x: auto;
  font: .84rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.figures { display: grid; grid-template-columns: minmax(15rem, 1.6fr) repeat(4, minmax(7.5rem, 1fr)); gap: .75rem; margin-top: 1.5rem; }
.figure { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: .9rem 1rem; }
.figure b { display: block; font-size: 1.75rem; line-height: 1.15; font-variant-numeric: tabular-nums; letter-spacing: -.02em; }
.figure span { color: var(--soft); font-size: .85rem; }
.figure.red b, .figure.yellow b { color: var(--text); }
.figure.mean { display: flex; align-items: center; gap: 1rem; }
.ring { flex: none; width: 4.6rem; height: 4.6rem; border-radius: 50%; display: grid; place-items: center;
  background: radial-gradient(closest-side, var(--card) 76%, transparent 77%), conic-gradient(var(--bar) calc(var(--score) * 1%), var(--faint) 0); }
.figure .ring b { font-size: 1.08rem; color: inherit; }
.green { --bar: var(--green-bar); --text: var(--green); --tint: var(--green-tint); }
.yellow { --bar: var(--yellow-bar); --text: var(--yellow); --tint: var(--yellow-tint); }
.red { --bar: var(--red-bar); --text: var(--red); --tint: var(--red-tint); }
.blue { --bar: var(--blue-bar); --text: var(--accent); --tint: var(--blue-tint); }
.grey { --bar: var(--line); --text: var(--soft); --tint: var(--faint); }
.badge { display: inline-block; padding: .05rem .5rem; border-radius: 99px; background: var(--tint); color: var(--text);
  font-size: .78rem; font-weight: 600; white-space: nowrap; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; overflow: hidden; }
.card > .scroll { margin: 0; }
.card + .card, section + .card, p + .card, dl + .card, .figures + .card { margin-top: .75rem; }
.scroll { overflow-x: auto; margin: .5rem 0; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
th, td { padding: .42rem .7rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
tbody tr:last-child td { border-bottom: 0; }
th { overflow-wrap: normal; color: var(--soft); font-size: .78rem; font-weight: 600; white-space: nowrap; }
td { overflow-wrap: break-word; }
td:last-child .badge { white-space: nowrap; }
.overview th, .overview td { padding: .55rem .9rem; vertical-align: middle; }
.overview td:first-child { width: 46%; }
.overview tbody tr:hover { background: var(--faint); }
.overview a { color: inherit; font-weight: 600; text-decoration-color: var(--line); }
.overview a:hover { text-decoration-color: var(--accent); }
.overview .small { display: block; font-size: .82rem; overflow-wrap: anywhere; }
.overview td:nth-child(2), .overview td:nth-child(5) { white-space: nowrap; }
.overview td:nth-child(5), .overview th:nth-child(5) { text-align: right; font-variant-numeric: tabular-nums; }
.bar { display: flex; align-items: center; gap: .55rem; min-width: 5rem; font-variant-numeric: tabular-nums; }
.bar b { min-width: 2.6rem; text-align: right; color: var(--text); white-space: nowrap; }
.parts { flex: 1; display: flex; gap: 1px; height: .5rem; border-radius: 99px; overflow: hidden; background: var(--faint); }
.parts i { background: var(--bar); }
.key { display: flex; flex-wrap: wrap; gap: .2rem .5rem; margin: .5rem 0 0; }
.steps { list-style: none; margin: 0; padding: .35rem 0; }
.steps li { position: relative; padding: .5rem 1rem .5rem 2.5rem; border-bottom: 1px solid var(--line); }
.steps li:last-child { border-bottom: 0; }
.steps li::before { content: ""; position: absolute; left: 1rem; top: .82rem; width: .85rem; height: .85rem;
  border: 1.5px solid var(--soft); border-radius: 4px; }
ul, ol { margin: .4rem 0; padding-left: 1.2rem; }
li { margin: .2rem 0; }
details { border-bottom: 1px solid var(--line); }
details:last-child { border-bottom: 0; }
summary { padding: .6rem 1rem; cursor: pointer; list-style: none; display: flex; flex-wrap: wrap; align-items: baseline; gap: .15rem .6rem; }
summary::-webkit-details-marker { display: none; }
summary::before { content: ""; flex: none; width: .42rem; height: .42rem; border: solid var(--soft); border-width: 0 1.5px 1.5px 0;
  transform: translateY(-.12rem) rotate(-45deg); transition: transform .12s; }
details[open] > summary::before { transform: translateY(-.16rem) rotate(45deg); }
summary:hover { background: var(--faint); }
summary:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; border-radius: 4px; }
summary .name { font-weight: 600; overflow-wrap: anywhere; }
summary .mark { color: var(--soft); font-size: .85rem; }
summary .mark:last-child { margin-left: auto; }
.inside { padding: 0 1rem 1.1rem; }
.inside > :first-child { margin-top: 0; }
.inside td:first-child { min-width: 8.5rem; }
.note { margin: 1rem 0 0; padding: .7rem 1rem; border-radius: 8px; background: var(--tint); }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .15rem .9rem; margin: .2rem 0 .6rem; font-size: .9rem; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
footer { margin-top: 3.5rem; padding-top: 1.2rem; padding-bottom: 3rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .86rem; }
@media (max-width: 60rem) {
  .figures { grid-template-columns: repeat(4, 1fr); }
  .figure.mean { grid-column: 1 / -1; }
}
@media (max-width: 40rem) {
  header, main, footer { padding-left: .85rem; padding-right: .85rem; }
  header { padding-top: 1.5rem; }
  .figures { grid-template-columns: repeat(2, 1fr); gap: .55rem; }
  .overview thead, .stack thead { display: none; }
  .overview tr { display: grid; grid-template-columns: auto 1fr auto; align-items: center; gap: .35rem .9rem;
    padding: .65rem .75rem; border-bottom: 1px solid var(--line); }
  .overview tr:last-child { border-bottom: 0; }
  .overview td, .overview td:first-child { width: auto; padding: 0; border: 0; }
  .overview td:first-child { grid-column: 1 / -1; }
  .overview td:nth-child(4) { display: none; }
  .overview td:nth-child(5) { color: var(--soft); font-size: .84rem; }
  .overview td:nth-child(5)::before { content: "gaps "; }
  .stack tr { display: block; padding: .45rem 0; border-bottom: 1px solid var(--line); }
  .stack tr:last-child { border-bottom: 0; }
  .stack td, .inside .stack td { display: grid; grid-template-columns: 6.2rem 1fr; min-width: 0; padding: .12rem .4rem; border: 0; }
  .stack td::before { content: attr(data-label); color: var(--soft); font-size: .8rem; }
  .stack td > * { justify-self: start; }
  .inside .scroll { margin-left: -.4rem; margin-right: -.4rem; }
  .inside th, .inside td { padding: .35rem .45rem; }
  .inside td:first-child { min-width: 6rem; }
  .key { display: none; }
  summary { padding: .6rem .75rem; }
  summary .mark:last-child { margin-left: 0; }
  .facts { grid-template-columns: 1fr; }
  .facts dt { margin-top: .35rem; }
  .inside { padding: 0 .75rem .9rem; }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } summary::before { transition: none; } }
@media print { body { background: #fff; } .card, .figure { break-inside: avoid; } }
`
