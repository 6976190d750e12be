// SPDX-License-Identifier: Apache-2.0
// Bars that fill toward a limit.
import {html} from './html.js';

/** A bar that fills toward its limit. */
export function meter(label, used, text, broken) {
  const value = Math.round(Math.min(1, Math.max(0, used || 0)) * 100);
  return html`<div class="meter ${broken || used > 1 ? 'over' : used > 0.8 ? 'near' : ''}" role="meter" aria-label="${label}"
    aria-valuemin="0" aria-valuemax="100" aria-valuenow="${value}" aria-valuetext="${text}"><span data-width="${value}"></span></div>`;
}

/** Widths are set here: the pages' policy allows no styles in markup. */
export function fillMeters(element) {
  element.querySelectorAll('[data-width]').forEach(fill => { fill.style.width = fill.dataset.width + '%'; });
}
