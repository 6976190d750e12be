// SPDX-License-Identifier: Apache-2.0
/**
 * The life of a run as a pure step function: decide(state, event, now). Whether a run may begin is decided here as well. The
 * step plans of profiles other than the search set the next load and answer the profile's question. Plain Java.
 */
@NullMarked
package io.redliner.controller.core.run;

import org.jspecify.annotations.NullMarked;
