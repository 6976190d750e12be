// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.redliner.redirector.lease;

import org.jspecify.annotations.NullMarked;
