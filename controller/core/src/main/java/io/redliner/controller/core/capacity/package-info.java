// SPDX-License-Identifier: Apache-2.0
/** Compares capacities: the change between two of them, and the trend of many. Plain Java. */
@NullMarked
package io.redliner.controller.core.capacity;

import org.jspecify.annotations.NullMarked;
