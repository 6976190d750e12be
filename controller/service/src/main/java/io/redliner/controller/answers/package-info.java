// SPDX-License-Identifier: Apache-2.0
/** What RedLiner answers after its runs, over REST: capacities and their history, fleet sizes, headroom, reports. */
@NullMarked
package io.redliner.controller.answers;

import org.jspecify.annotations.NullMarked;
