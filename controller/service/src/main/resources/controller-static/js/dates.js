// SPDX-License-Identifier: Apache-2.0
// Days and months of the viewer's zone.

/** The first day of a month that an address names as 2026-12; without one, of this month. */
export function month(text) {
  const found = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text || '');
  const now = new Date();
  return found ? new Date(Number(found[1]), Number(found[2]) - 1, 1) : new Date(now.getFullYear(), now.getMonth(), 1);
}

/** 2026-12. */
export function monthText(day) {
  return `${String(day.getFullYear()).padStart(4, '0')}-${String(day.getMonth() + 1).padStart(2, '0')}`;
}

/** Days are counted on the calendar: one of them may have 23 or 25 hours. */
export function plusDays(day, count) {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + count);
}

/** The weeks of a month, Monday first, with the days of other months that fill them. */
export function weeks(first) {
  const before = (first.getDay() + 6) % 7;
  const days = new Date(first.getFullYear(), first.getMonth() + 1, 0).getDate();
  return Array.from({length: Math.ceil((before + days) / 7)}, (_, week) =>
    Array.from({length: 7}, (_nothing, day) => plusDays(first, week * 7 + day - before)));
}

/** Hours and minutes. */
export function clock(instant) {
  return new Date(instant).toLocaleTimeString(undefined, {hour: '2-digit', minute: '2-digit'});
}

/** As an input of type datetime-local wants it. */
export function local(date) {
  const two = number => String(number).padStart(2, '0');
  return `${monthText(date)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
