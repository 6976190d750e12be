// SPDX-License-Identifier: Apache-2.0
/** Finds fleets by the address records of a name. */
@NullMarked
package io.redliner.redirector.dns;

import org.jspecify.annotations.NullMarked;
