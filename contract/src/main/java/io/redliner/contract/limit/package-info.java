// SPDX-License-Identifier: Apache-2.0
/** Limits of the proxies that RedLiner chose itself, in words, and the precision that a plan asks for. Plain Java. */
@NullMarked
package io.redliner.contract.limit;

import org.jspecify.annotations.NullMarked;
