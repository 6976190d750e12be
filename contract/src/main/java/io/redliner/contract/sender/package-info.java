// SPDX-License-Identifier: Apache-2.0
/** Which senders of lease statuses are believed, by one rule for controllers and collectors. Plain Java. */
@NullMarked
package io.redliner.contract.sender;

import org.jspecify.annotations.NullMarked;
