// SPDX-License-Identifier: Apache-2.0
/** The ports through which the core reaches the store, the topics and the clock, and the values that cross them. */
@NullMarked
package io.redliner.controller.core.port;

import org.jspecify.annotations.NullMarked;
