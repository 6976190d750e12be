-- SPDX-License-Identifier: Apache-2.0

-- An entry and a window are written in the transaction that updates their run, and runs are not deleted: there is nothing to
-- check, and the check locks the run's row once more for each of them.
DO $$
DECLARE
    checked record;
BEGIN
    FOR checked IN
        SELECT conrelid::regclass AS of, conname AS name FROM pg_constraint
        WHERE contype = 'f' AND conparentid = 0 AND confrelid = 'run'::regclass
            AND (conrelid IN ('journal'::regclass, 'judged_window'::regclass) OR conrelid IN (
                SELECT inhrelid FROM pg_inherits WHERE inhparent IN ('journal'::regclass, 'judged_window'::regclass)))
    LOOP
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', checked.of, checked.name);
    END LOOP;
END
$$;

-- The entry of the journal with which the row's state was written; the entries since then say what has changed of it. Absent:
-- the state is the newest.
ALTER TABLE run ADD COLUMN state_sequence bigint;
