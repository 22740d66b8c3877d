"""From typed results to an answer in German or English: no figure that no tool computed."""
