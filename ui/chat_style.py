"""Style and the few lines of script of the browser page."""

CSS = """<style>
:root, .dark { --block-title-text-color: var(--body-text-color) !important; --block-title-padding: 0 !important;
  --block-title-background-fill: transparent !important; --block-label-text-color: var(--body-text-color) !important;
  --block-label-background-fill: transparent !important; }
.gradio-container { max-width: 1500px !important; margin: 0 auto; }
#side { border-left: 1px solid var(--border-color-primary); padding-left: 14px; }
#conversation table { font-size: 0.82em; display: block; overflow-x: auto; }
#conversation table :is(td, th) {
  word-break: normal !important; overflow-wrap: normal !important; padding: 3px 5px !important;
}
#ask textarea { font-size: 1.02em; }
#controls { gap: 8px; }
#sources details { border-bottom: 1px solid var(--border-color-primary); padding: 6px 0; overflow-wrap: anywhere; }
#sources summary { cursor: pointer; font-weight: 600; }
#sources blockquote { margin: 6px 0 6px 10px; padding-left: 10px; border-left: 3px solid var(--border-color-primary); }
#sources details:target, #sources details.opened { background: var(--background-fill-secondary); }
#sources a, #order a, #conversation a { text-decoration: underline; color: inherit; }
#sources .turn { font-weight: 600; margin: 10px 0 2px; }
#ask .submit-button { background: var(--primary-700); color: white; padding: 4px 14px; }
#side .vega-embed, #side .vega-embed canvas { max-width: 100%; height: auto !important; }
#offers :is(td, th, span) { font-family: var(--font) !important; }
@media (max-width: 700px) {
  #side { border-left: none; padding-left: 0; }
  .gradio-container { padding: 6px !important; }
  #conversation { height: 62vh !important; }
  .gradio-container, .gradio-container :is(main, .main, .wrap, .row, .column) { min-width: 0 !important; }
  .gradio-container, .gradio-container :is(main, .main, .wrap, .row, .column, .block, .form) { max-width: 100vw !important; }
  #controls > * { flex: 1 1 130px !important; min-width: 130px !important; }
  .gradio-container .row { flex-wrap: wrap; }
  .gradio-container .row > .column { flex-basis: 100% !important; }
  #conversation .bubble-wrap { overflow-x: hidden; padding: 4px !important; }
  #conversation .message-row { max-width: 100% !important; margin: 6px 0 !important; }
  #conversation :is(.flex-wrap, .message, .message > *, .panel-full-width, .options) {
    max-width: 100% !important; min-width: 0; flex-wrap: wrap;
  }
}
@media print {
  #ask, #bar, #side .tab-wrapper, #controls, footer, button { display: none !important; }
  #conversation, #conversation * { height: auto !important; max-height: none !important; overflow: visible !important; }
}
</style>"""

SCRIPT = """
<script>
document.addEventListener('click', (event) => {
  const link = event.target.closest && event.target.closest('a[href*="#source-"]');
  if (!link) return;
  event.preventDefault();
  event.stopPropagation();
  const id = link.getAttribute('href').split('#')[1];
  const open = () => {
    const passage = document.getElementById(id);
    if (!passage) return false;
    passage.open = true;
    document.querySelectorAll('#sources details.opened').forEach((other) => other.classList.remove('opened'));
    passage.classList.add('opened');
    passage.scrollIntoView({block: 'center'});
    passage.querySelector('summary').focus({preventScroll: true});
    return true;
  };
  const tab = document.querySelector('#tab-sources-button, button[data-tab-id="sources"]');
  if (tab) tab.click();
  let tries = 0;
  const timer = setInterval(() => { if (open() || ++tries > 40) clearInterval(timer); }, 50);
}, true);
</script>
"""
"""A marker in an answer opens its passage in the tab of sources and moves the focus there."""

HEAD = CSS + SCRIPT
"""For the head of the page as it stands; the framework would rewrite a style sheet, and lose its media queries."""

REMEMBER = """(conversation, pending) => {
  if (!pending) setTimeout(() => {  // an answer is read from its question on, not from its end
    const asked = document.querySelectorAll('#conversation .message.user');
    const last = asked.length ? asked[asked.length - 1] : null;
    const frame = last && last.closest('.bubble-wrap');
    if (frame) frame.scrollTop += last.getBoundingClientRect().top - frame.getBoundingClientRect().top - 8;
  }, 350);
  try {
    sessionStorage.setItem('advisor.conversation', conversation || '');
    sessionStorage.setItem('advisor.pending', pending || '');
  } catch (blocked) { /* a browser may forbid storage; then a reload starts anew */ }
}"""
"""Kept per tab, so that two tabs are two conversations and a reload goes on with its own."""

RECALL = """() => {
  let conversation = '', pending = '';
  try {
    conversation = sessionStorage.getItem('advisor.conversation') || '';
    pending = sessionStorage.getItem('advisor.pending') || '';
  } catch (blocked) { /* as above */ }
  return [conversation, pending, navigator.language || 'en'];
}"""
