package io.slicewise.run.journal;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.slicewise.base.json.Json;
import io.slicewise.profile.Schedulers;

/** The JSON of a run directory: the shared mapping plus scheduler parameters. */
public final class SweepJson {
  public static final ObjectMapper MAPPER = mapper(Schedulers.KNOWN);

  private SweepJson() {}

  /** The mapper where these schedulers can occur. */
  public static ObjectMapper mapper(Schedulers known) {
    return Json.mapper().copy().registerModule(ParametersJson.module(known));
  }
}
