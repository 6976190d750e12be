// SPDX-License-Identifier: Apache-2.0
/** Sealed windows to the observations topic. */
@NullMarked
package io.redliner.collector.messaging;

import org.jspecify.annotations.NullMarked;
