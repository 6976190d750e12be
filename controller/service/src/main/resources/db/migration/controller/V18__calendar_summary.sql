-- SPDX-License-Identifier: Apache-2.0
-- What the events of a calendar came to when it was stored. Null of calendars that were stored before.
ALTER TABLE calendar ADD COLUMN busy_events integer;
ALTER TABLE calendar ADD COLUMN free_events integer;
ALTER TABLE calendar ADD COLUMN warnings text[];
