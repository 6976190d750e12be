// SPDX-License-Identifier: Apache-2.0
/** The manual page, made from what the commands say of themselves. */
@NullMarked
package io.redliner.standalone.man;

import org.jspecify.annotations.NullMarked;
