// SPDX-License-Identifier: Apache-2.0
/** The loop that reads topics, for all components. */
@NullMarked
package io.redliner.contract.consumer;

import org.jspecify.annotations.NullMarked;
