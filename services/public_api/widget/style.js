// Looks. The font's family and size and the colour are the page's; whatever else an element would inherit from it begins
// anew. --recruiting-… and ::part() change the rest. A constructed sheet, so that a page's Content-Security-Policy needs
// to allow no style.
const css = `
:host { display: block; container-type: inline-size; max-inline-size: var(--recruiting-width, none); margin-block: var(--recruiting-gap, 1rem) }
:host([hidden]), [hidden] { display: none !important }
.root, .root * { box-sizing: border-box }
.root {
  all: initial; display: block; font-family: inherit; font-size: inherit; color: inherit; writing-mode: inherit; visibility: inherit; pointer-events: inherit;
  --accent: var(--recruiting-accent, #1a4fd0); --on-accent: var(--recruiting-on-accent, #fff);
  --danger: var(--recruiting-danger, #b3261e);
  --line: var(--recruiting-border, color-mix(in srgb, currentColor 18%, transparent));
  --frame: color-mix(in srgb, currentColor 58%, transparent);
  --soft: var(--recruiting-surface, color-mix(in srgb, currentColor 5%, transparent));
  --radius: var(--recruiting-radius, 12px); --gap: var(--recruiting-gap, 1rem);
  --small: calc(var(--radius) * .67);
  color-scheme: light; line-height: 1.5; overflow-wrap: anywhere;
}
.root.dark {
  --accent: var(--recruiting-accent, #a3c0ff); --on-accent: var(--recruiting-on-accent, #0a1a3d);
  --danger: var(--recruiting-danger, #ffb4ab); color-scheme: dark;
}
p, h1, h2, h3, h4, h5, h6, ul, dl, dd, fieldset, legend { margin: 0; padding: 0; border: 0; min-inline-size: 0 }
p, h1, h2, h3, h4, h5, h6, li, legend, label, span, a, button { unicode-bidi: plaintext; text-align: -webkit-match-parent; text-align: match-parent }
h1, h2, h3, h4, h5, h6 { font: inherit; font-weight: 650; line-height: 1.3 }
ul { list-style: none }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: var(--small) }
.quiet { opacity: .86 }
.field > .small { margin-block-start: .375rem }
.small { font-size: .875em }
a { color: var(--accent); text-underline-offset: .2em }

button, input, select { font: inherit; color: inherit; min-block-size: 44px }
input[type=search], input[type=email], select {
  inline-size: 100%; padding: .5rem .75rem; background: transparent; border: 1px solid var(--frame); border-radius: var(--small);
}
select {
  appearance: none; text-overflow: ellipsis; padding-inline-end: 2.25rem; background: no-repeat right 1.1em center / .4em .4em linear-gradient(45deg, transparent 50%, currentColor 0),
    no-repeat right .75em center / .4em .4em linear-gradient(-45deg, transparent 50%, currentColor 0);
}
select:dir(rtl) { background-position: left .75em center, left 1.1em center }
::placeholder { color: inherit; opacity: .7 }
option { background: Canvas; color: CanvasText }
button { padding: .5rem 1.25rem; border: 1px solid var(--frame); border-radius: var(--small); background: transparent; font-weight: 600; cursor: pointer }
button:hover { background: var(--soft) }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent) }
button.main:hover { background: color-mix(in srgb, var(--accent) 88%, var(--on-accent)) }
button.plain { border-width: 0; color: var(--accent); padding-inline: 0; text-decoration: underline; text-underline-offset: .2em }
fieldset > .plain { margin-block-end: -.75rem }
button[aria-disabled=true] { opacity: .65; cursor: default }
input[aria-invalid=true] { border-color: var(--danger); box-shadow: 0 0 0 1px var(--danger) }
.field > label, legend { display: block; font-weight: 600; margin-block-end: .375rem }
.error { color: var(--danger); font-weight: 600; font-size: .9375em; margin-block-start: .375rem }
.error:empty { display: none }
.notice { display: grid; gap: .75rem; justify-items: start; padding: 1.25rem; border-radius: var(--radius); border: 1px solid var(--line); background: var(--soft) }

.filters { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin-block-end: var(--gap) }
.filters > * { flex: 1 1 8.5rem }
.filters > :first-child { flex-basis: 100% }
.count { font-weight: 600 }
.bar { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: center; justify-content: space-between; min-block-size: 44px }
.bar:has(.count:empty) { min-block-size: 0 }
.jobs { display: grid; border-block-start: 1px solid var(--line) }
.job { position: relative; border-block-end: 1px solid var(--line); padding-block: 1.125rem; display: grid; gap: .375rem }
.job h1, .job h2, .job h3, .job h4, .job h5, .job h6 { font-size: 1.125em }
.job .head { display: flex; gap: 1rem; justify-content: space-between; align-items: baseline }
.title { color: inherit; text-decoration: none; font-weight: inherit; background: none; border: 0; padding: 0; min-block-size: 0; display: inline; text-align: start; cursor: pointer }
button.title:hover { background: none }
.title::after { content: ""; position: absolute; inset: 0; inset-block-end: auto; block-size: 100%; border-radius: var(--small) }
.job.open .title::after { block-size: 3.5rem }
.job:hover .title { text-decoration: underline; text-decoration-color: var(--accent); text-decoration-thickness: 2px; text-underline-offset: .25em }
.arrow { flex: none; margin-inline-end: .375rem; inline-size: .6em; block-size: .6em; border: solid var(--accent); border-width: 2px 2px 0 0; transform: rotate(45deg) }
.arrow:dir(rtl) { transform: rotate(-135deg) }
.arrow.fold { transform: rotate(135deg) translate(-.2em, .2em) }
.open .arrow.fold { transform: rotate(-45deg) }
.tags { display: flex; flex-wrap: wrap; gap: .375rem .5rem; align-items: center }
.tag { border: 1px solid var(--line); border-radius: 99px; padding: .0625rem .625rem; background: var(--soft) }
.pay { font-weight: 600 }
.text { display: grid; gap: .75rem; padding-block: .75rem .25rem; max-inline-size: var(--recruiting-width, 44rem); position: relative }
.text ul { list-style: disc } .text ul, .text ol { padding-inline-start: 1.5rem; margin: 0 } .text li { text-align: start }
.after { margin-block-start: var(--gap); display: flex; justify-content: center }

.booking { display: grid; gap: 1.5rem; max-inline-size: var(--recruiting-width, 44rem); border: 1px solid var(--line); border-radius: var(--radius); padding: clamp(1rem, 4cqi, 2rem) }
.booking > .top { display: grid; gap: .25rem }
.booking .name { font-size: 1.375em }
form { display: grid; gap: 1.5rem }
.choice { display: grid; gap: .5rem; grid-template-columns: repeat(auto-fill, minmax(5.5rem, 1fr)) }
form .days { grid-auto-flow: column; grid-template-columns: none; grid-auto-columns: minmax(5.5rem, 1fr); overflow-x: auto; scroll-snap-type: inline; padding: 4px; margin: -4px }
.days > * { scroll-snap-align: start; scroll-margin: 4px }
form .field { max-inline-size: 26rem }
.chip { position: relative; display: grid; place-items: center; align-content: center; min-block-size: 44px; padding: .375rem .25rem; text-align: center; border: 1px solid var(--frame); border-radius: var(--small); cursor: pointer; font-variant-numeric: tabular-nums }
.chip span { text-align: center }
.chip:hover { background: var(--soft) }
.chip input { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; margin: 0; opacity: 0; cursor: inherit }
.chip:has(:checked), .chip.on { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600 }
.chip:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px }
.send { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: center }
.done { display: grid; gap: .75rem; justify-items: start }
.done:focus { outline: none }
.tick { inline-size: 3rem; block-size: 3rem; border-radius: 50%; background: var(--accent); position: relative }
.tick::after { content: ""; position: absolute; inset: 26% 38% 32% 38%; border: solid var(--on-accent); border-width: 0 3px 3px 0; transform: rotate(45deg) }

.bones { display: grid; gap: .75rem }
.bone { block-size: 4.25rem; border-radius: var(--small); background: color-mix(in srgb, currentColor 9%, transparent); animation: pulse 1.4s ease-in-out infinite alternate }
.unseen { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
@keyframes pulse { to { opacity: .45 } }
@media (prefers-reduced-motion: reduce) { .bone { animation: none } }
@container (min-width: 34rem) {
  .filters > :first-child { flex: 2 1 14rem }
  form .days { grid-auto-flow: row; grid-template-columns: repeat(6, 1fr) }
  .pay { margin-inline-start: auto }
}
@media (forced-colors: active) {
  .chip:has(:checked), .chip.on, button.main { forced-color-adjust: none; background: Highlight; color: HighlightText; border-color: Highlight }
  select { appearance: auto; background: none }
  .arrow { border-color: LinkText } .tick { background: Highlight; forced-color-adjust: none } .bone { border: 1px solid GrayText }
}
`;

let sheet;
export const style_sheet = () => {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  return sheet;
};
