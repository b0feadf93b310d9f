// A constructed sheet, so that a page's Content-Security-Policy needs to allow no style. `css` is look/shared.css and
// look/widget.css: public-api puts it before the modules (pages/assets.cpp).
import { css } from './given.js';

let sheet;
export const style_sheet = () => {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  return sheet;
};
