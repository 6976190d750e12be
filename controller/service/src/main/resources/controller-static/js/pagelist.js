// SPDX-License-Identifier: Apache-2.0
// A list that is read page by page, newest first. What is asked for is in the address; older pages are added below.
import {get, polled, wordsOf} from './api.js';
import {byId} from './html.js';

const SECONDS = 15;

/**
 * @param region id of the element that shows the list
 * @param fields names in the address; the inputs of the form have them behind "filter-"
 * @param question gives the path of the first page
 * @param markup of all items that are known
 * @param failed gives the markup for a failure that is an answer, and throws the others
 * @returns how to look again, with or without an item
 */
export function pageList({region, fields, question, markup, failed = failure => { throw failure; }}) {
  let older = [];
  let next = null;

  const look = polled(byId(region), async signal => {
    let page;
    try {
      page = await get(question(), signal);
    } catch (failure) {
      return failed(failure);
    }
    if (!older.length) next = page.nextPageToken;
    byId('more').hidden = !next;
    // New items push others off the first page; once older ones are shown, these stay.
    const seen = new Set(page.items.map(one => one.id));
    const all = [...page.items, ...older.filter(one => !seen.has(one.id))];
    if (older.length) older = all;
    return markup(all);
  }, SECONDS);

  // At first, what was typed before this script was there stays.
  function begin(first = false) {
    const address = new URLSearchParams(location.search);
    for (const field of fields) byId('filter-' + field).value = (first && byId('filter-' + field).value) || address.get(field) || '';
    older = [];
  }

  byId('filter').addEventListener('submit', submitted => {
    submitted.preventDefault();
    history.pushState(null, '', '?' + new URLSearchParams([...new FormData(byId('filter'))].filter(([, value]) => value)));
    begin();
    look();
  });

  byId('more').addEventListener('click', async () => {
    byId('more').disabled = true;
    try {
      const asked = question();
      const page = await get(asked + '&pageToken=' + encodeURIComponent(next));
      if (asked !== question()) return;
      older = [...older, ...page.items];
      next = page.nextPageToken;
      byId('more-problem').textContent = '';
      await look();
    } catch (failure) {
      byId('more-problem').textContent = wordsOf(failure);
    } finally {
      byId('more').disabled = false;
    }
  });

  addEventListener('popstate', () => {
    begin();
    look();
  });
  begin(true);

  return {
    lookWithout(id) {
      older = older.filter(one => one.id !== id);
      look();
    },
  };
}
