// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.redliner.redirector.kubernetes;

import org.jspecify.annotations.NullMarked;
