// SPDX-License-Identifier: Apache-2.0
/** What a controller orders the redirectors to do, and what they report about it. */
@NullMarked
package io.redliner.contract.lease;

import org.jspecify.annotations.NullMarked;
