// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.redliner.redirector.config;

import org.jspecify.annotations.NullMarked;
