// SPDX-License-Identifier: Apache-2.0
/** Selects the instance under test for a plan that does not name one. Plain Java. */
@NullMarked
package io.redliner.controller.core.sut;

import org.jspecify.annotations.NullMarked;
