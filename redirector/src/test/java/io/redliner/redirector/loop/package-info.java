// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.redliner.redirector.loop;

import org.jspecify.annotations.NullMarked;
