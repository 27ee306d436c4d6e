import "vigiles";
