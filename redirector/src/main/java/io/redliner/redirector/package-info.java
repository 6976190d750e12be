// SPDX-License-Identifier: Apache-2.0
/** Turns leases into Envoy configuration over xDS, and proves that they took effect. */
@NullMarked
package io.redliner.redirector;

import org.jspecify.annotations.NullMarked;
