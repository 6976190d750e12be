// SPDX-License-Identifier: Apache-2.0
/** Tests of the rule language. */
@NullMarked
package io.redliner.sla;

import org.jspecify.annotations.NullMarked;
