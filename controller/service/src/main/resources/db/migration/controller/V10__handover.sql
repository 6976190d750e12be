-- SPDX-License-Identifier: Apache-2.0

-- Each controller counts up while it could take a run over. Whoever looks sees by its own clock whether a number moves.
CREATE TABLE controller_beat (
    id   text PRIMARY KEY,
    beat bigint NOT NULL
);

-- The version at which its driver let the run go, to be taken at once. With the next decision, whoever makes it, it is an old one.
ALTER TABLE run ADD COLUMN let_go_at bigint;
