// SPDX-License-Identifier: Apache-2.0
/** How instances are called in messages, settings, plans and pages. Plain Java, for every package of every component. */
@NullMarked
package io.redliner.contract.address;

import org.jspecify.annotations.NullMarked;
