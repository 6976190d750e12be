// SPDX-License-Identifier: Apache-2.0
/** The plan of a test with its bounds, its units and its validation. Plain Java. */
@NullMarked
package io.redliner.controller.plan;

import org.jspecify.annotations.NullMarked;
