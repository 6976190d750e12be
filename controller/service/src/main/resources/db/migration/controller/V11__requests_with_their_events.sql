-- SPDX-License-Identifier: Apache-2.0

-- What a request leads to. A controller of an older version leaves none: its kind and reason say as much.
ALTER TABLE run_request ADD COLUMN event jsonb;
