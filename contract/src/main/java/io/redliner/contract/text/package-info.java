// SPDX-License-Identifier: Apache-2.0
/** Text that others wrote. */
@NullMarked
package io.redliner.contract.text;

import org.jspecify.annotations.NullMarked;
