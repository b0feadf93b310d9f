// Whether something is half-written on the page: then the page outlives the end of its session.
const touched = new WeakSet<HTMLFormElement>();

document.addEventListener('input', ({ target }) => {
  const form = target instanceof Element ? target.closest('form') : null;
  if (form && form.role !== 'search') touched.add(form);
});

const is_text = (field: Element): field is HTMLInputElement | HTMLTextAreaElement =>
  field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && field.type !== 'checkbox' && field.type !== 'radio');

/** A form in which a person has changed something, and in which there is a text now: one that was sent is gone or empty. */
export const has_unsent = (): boolean =>
  [...document.forms].some((form) => touched.has(form) && [...form.elements].some((field) => is_text(field) && field.value.trim() !== ''));
