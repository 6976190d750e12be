// SPDX-License-Identifier: Apache-2.0
// The controller's clock. It decides whether something is old: the clock of a browser may be minutes off, or be set meanwhile.

/** The header Date has whole seconds, and the server makes it anew once a second. */
const RESOLUTION = 2000;

/** Milliseconds that nobody sets. */
export const timer = () => performance.timeOrigin + performance.now();

/** Bounds of the controller's clock minus the timer. */
let least = -Infinity;

let most = Infinity;

/**
 * Learns from an answer of the controller.
 *
 * @param date its header Date, or null
 * @param asked when the request was sent, by the timer
 */
export function learn(date, asked) {
  const said = date === null ? NaN : Date.parse(date);
  if (Number.isNaN(said)) return;
  const [low, high] = [said - timer(), said + RESOLUTION - asked];
  // Bounds that exclude each other: the controller's clock was set, or the two have drifted apart.
  const apart = low > most || high < least;
  least = apart ? low : Math.max(low, least);
  most = apart ? high : Math.min(high, most);
}

/** The controller's time in ms since the epoch; before its first answer the browser's. */
export const now = () => timer() + (most === Infinity ? 0 : (least + most) / 2);
