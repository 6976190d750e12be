// SPDX-License-Identifier: Apache-2.0
/** What the redirector counts and shows. */
@NullMarked
package io.redliner.redirector.metrics;

import org.jspecify.annotations.NullMarked;
