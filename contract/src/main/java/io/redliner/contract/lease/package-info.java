// SPDX-License-Identifier: Apache-2.0
/** Orders of a controller to the redirectors, and their reports about them. */
@NullMarked
package io.redliner.contract.lease;

import org.jspecify.annotations.NullMarked;
