// SPDX-License-Identifier: Apache-2.0
/** The requests that a run moves, and how the SUT's share of them is chosen: the same records in plan, lease and proxy. */
@NullMarked
package io.redliner.contract.redirect;

import org.jspecify.annotations.NullMarked;
