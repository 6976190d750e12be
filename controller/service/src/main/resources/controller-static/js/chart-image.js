// SPDX-License-Identifier: Apache-2.0
// The charts as one PNG: what is drawn on their canvases, and their legends and ribbon as they are on the page.

const SCALE = 2;

const MARGIN = 12;

const TITLE = 26;

/** The text of an element on one line. */
const textOf = element => element.textContent.replace(/\s+/g, ' ').trim();

/** Draws one shape of the ribbon as the page's style has it. */
function shape(context, element) {
  const {fill, stroke, opacity, fontSize, textAnchor, fontFamily} = getComputedStyle(element);
  const number = name => Number(element.getAttribute(name));
  context.globalAlpha = Number(opacity);
  context.fillStyle = fill;
  switch (element.tagName) {
    case 'rect':
      context.fillRect(number('x'), number('y'), number('width'), number('height'));
      break;
    case 'line':
      context.strokeStyle = stroke;
      context.beginPath();
      context.moveTo(number('x1'), number('y1'));
      context.lineTo(number('x2'), number('y2'));
      context.stroke();
      break;
    case 'circle':
      context.beginPath();
      context.arc(number('cx'), number('cy'), number('r'), 0, 2 * Math.PI);
      context.fill();
      break;
    case 'text':
      context.font = fontSize + ' ' + fontFamily;
      context.textAlign = {middle: 'center', end: 'right'}[textAnchor] || 'left';
      context.fillText(element.textContent, number('x'), number('y'));
      break;
    default:
  }
  context.globalAlpha = 1;
}

/** Draws all of it onto a canvas. */
export function imageOf(element, title) {
  const box = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  const canvas = document.createElement('canvas');
  canvas.width = (box.width + 2 * MARGIN) * SCALE;
  canvas.height = (box.height + 2 * MARGIN + TITLE) * SCALE;
  const context = canvas.getContext('2d');
  context.scale(SCALE, SCALE);
  context.fillStyle = style.backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = style.color;
  context.font = 'bold 14px ' + style.fontFamily;
  context.fillText(title, MARGIN, MARGIN + 14, box.width);
  const place = one => {
    const rect = one.getBoundingClientRect();
    return [rect.left - box.left + MARGIN, rect.top - box.top + MARGIN + TITLE, rect.width, rect.height];
  };
  element.querySelectorAll('canvas').forEach(one => context.drawImage(one, ...place(one)));
  element.querySelectorAll('figcaption strong, figcaption .faint, figcaption .key').forEach(one => {
    const [x, y, , height] = place(one);
    const {color, fontWeight, fontSize} = getComputedStyle(one);
    context.fillStyle = color;
    context.font = `${fontWeight} ${fontSize} ${style.fontFamily}`;
    context.fillText(textOf(one), x, y + Math.min(height, 16) - 4);
  });
  element.querySelectorAll('svg').forEach(one => {
    context.save();
    context.translate(...place(one).slice(0, 2));
    one.querySelectorAll('rect, line, circle, text').forEach(part => shape(context, part));
    context.restore();
  });
  return canvas;
}

/** Hands the charts to the viewer as a file. */
export function saveImage(element, title, name) {
  imageOf(element, title).toBlob(blob => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name + '.png';
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  });
}
