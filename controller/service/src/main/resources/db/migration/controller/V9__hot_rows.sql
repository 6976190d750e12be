-- SPDX-License-Identifier: Apache-2.0

-- The state of a live run is written several times a second. What never changes goes out of the row, so that the state can stay
-- in it, and pages keep room for the next version: no other table and no index is touched then.
ALTER TABLE run
    ALTER COLUMN plan SET STORAGE EXTERNAL,
    ALTER COLUMN first_state SET STORAGE EXTERNAL,
    SET (fillfactor = 50, toast_tuple_target = 4080);
