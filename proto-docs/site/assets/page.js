// What a page gains with scripts: search, and buttons that copy code. Without them it reads the same.
const box = document.querySelector('search');
box.hidden = false;
const input = box.querySelector('input');
input.addEventListener('focus', () => import(new URL(box.dataset.script, location.href).href), { once: true });
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.closest('input, textarea')) return;
  event.preventDefault();
  input.focus();
});

const copy = async (button, text) => {
  await navigator.clipboard.writeText(text);
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = 'Copy'), 2000);
};

if (navigator.clipboard) {
  for (const block of document.querySelectorAll('pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => copy(button, block.textContent));
    const around = document.createElement('div');
    around.className = 'code';
    block.replaceWith(around);
    around.append(block, button);
  }
}
