// SPDX-License-Identifier: Apache-2.0
// What a browser keeps for these pages, of a tab or of all of them. It may refuse to keep anything, and what is there may be anything:
// no page depends on it.

const PLACES = {tab: () => sessionStorage, browser: () => localStorage};

/** The text that is kept under a name; null without one. */
export function keptText(place, name) {
  try {
    return PLACES[place]().getItem(name);
  } catch {
    return null;
  }
}

/** The JSON that is kept under a name; null without any. */
export function kept(place, name) {
  try {
    return JSON.parse(keptText(place, name));
  } catch {
    return null;
  }
}

/** Keeps a text under a name, or with null nothing. */
export function keep(place, name, text) {
  try {
    if (text === null) PLACES[place]().removeItem(name);
    else PLACES[place]().setItem(name, text);
  } catch {
    // It is full, or forbidden.
  }
}
