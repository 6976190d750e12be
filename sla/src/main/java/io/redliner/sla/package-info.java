// SPDX-License-Identifier: Apache-2.0
/** The rule language: CEL rules over measurements of an instance, its peers and its service. */
@NullMarked
package io.redliner.sla;

import org.jspecify.annotations.NullMarked;
