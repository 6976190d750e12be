// SPDX-License-Identifier: Apache-2.0
/** The pages of the dashboard in a real browser, over the whole of RedLiner with a run in progress. */
@NullMarked
package io.redliner.acceptance.browser;

import org.jspecify.annotations.NullMarked;
