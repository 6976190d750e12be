// SPDX-License-Identifier: Apache-2.0
/** How long is kept what only grows. Runs and capacities are kept for ever. */
@NullMarked
package io.redliner.controller.retention;

import org.jspecify.annotations.NullMarked;
