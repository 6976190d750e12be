// SPDX-License-Identifier: Apache-2.0
/** What capacities say when they are put side by side: changes and trends. Plain Java. */
@NullMarked
package io.redliner.controller.core.capacity;

import org.jspecify.annotations.NullMarked;
