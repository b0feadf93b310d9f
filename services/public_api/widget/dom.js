// Elements by name, attributes, listeners and children: text never becomes markup, styles are in the style sheet.

export const h = (name, attributes = {}, ...children) => {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(key, value);
    else if (value === true) node.setAttribute(key, '');
    else if (value !== false && value != null) node.setAttribute(key, value);
  }
  node.append(...children.flat().filter((child) => child != null && child !== false && child !== ''));
  return node;
};

export const option = (value, text = value, selected = false) => h('option', { value, selected }, text);
