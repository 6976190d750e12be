// SPDX-License-Identifier: Apache-2.0
/** Durations come in as people write them, in plans, rules and services files. One grammar reads them all. Durations go out. */
@NullMarked
package io.redliner.contract.duration;

import org.jspecify.annotations.NullMarked;
