-- SPDX-License-Identifier: Apache-2.0
-- The team that may change a calendar. Without one, whoever may operate the services of all plans that rest on it.
ALTER TABLE calendar ADD COLUMN team text;
