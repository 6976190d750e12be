// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.redliner.redirector.share;

import org.jspecify.annotations.NullMarked;
