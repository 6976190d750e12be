// SPDX-License-Identifier: Apache-2.0
/** Tests of the texts of the whole repository: words, sentences, links, promises, and the requests and commands that guides show. */
@NullMarked
package io.redliner.acceptance.docs;

import org.jspecify.annotations.NullMarked;
